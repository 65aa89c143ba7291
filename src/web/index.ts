export { compileSite, webDoor } from './site/door.tsx';
