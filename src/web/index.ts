export { compileSite, webDoor, type WebDoorOptions } from './door.tsx';
export { graphiqlPage } from './pages/graphiql.tsx';
