export { commonHeaders, entityTag, matches, send, type Answer } from './answer.ts';
export { sendEvents, type ServerEvent } from './event-stream.ts';
export { bodyOf, Unreadable } from './body.ts';
export { callOf, type Exchange } from './exchange.ts';
export { Leaving } from './leaving.ts';
export { monitoringDoor, type Readiness } from './monitoring.ts';
export { openedLater } from './opened-later.ts';
export { isObject, parseForm, readBodyParameters, type Parameters } from './parameters.ts';
export { header, listen, reportDefect, type Door, type HttpServer, type HttpServerOptions } from './server.ts';
