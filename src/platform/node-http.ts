/**
 * `node:http`. An import of its values as an ES module reads all its exports, those of `fetch` and WebSocket too, which costs each start 30 ms of CPU
 * and 14 MB.
 */
export const http = process.getBuiltinModule('node:http')
