export { commonHeaders, entityTag, matches, toResponse, type Answer } from './answer.ts';
export { eventStream, type ServerEvent } from './event-stream.ts';
export { callOf, header, type Exchange } from './exchange.ts';
export { Leaving } from './leaving.ts';
export { monitoringDoor, type Readiness } from './monitoring.ts';
export { openedLater } from './opened-later.ts';
export { isObject, parseForm, readBody, readBodyParameters, Unreadable, type Parameters } from './parameters.ts';
export { listen, reportDefect, type Door, type HttpServer, type HttpServerOptions } from './server.ts';
