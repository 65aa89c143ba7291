export { webDoor, type WebDoorOptions } from './door.tsx';
export { webUnavailable } from './unavailable.ts';
export { graphiqlPage } from './pages/graphiql.tsx';
