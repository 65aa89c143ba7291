export { compileSite, webDoor, type WebDoorOptions } from './site/door.tsx';
export { graphiqlPage } from './documentation/graphiql.tsx';
