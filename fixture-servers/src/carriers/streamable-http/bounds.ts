/** Bounds of the HTTP carrier: nothing that a client or a stranger's file does may make it grow without limit. */

/** The longest body of a request, in bytes: what a client sends to a tool server is far below this. */
export const MAX_BODY_BYTES = 64 * 1024 * 1024;
/** The most connections at once: beyond it the system refuses, as it would for any server. */
export const MAX_CONNECTIONS = 4096;
/** The most sessions of one server: the longest runs of the suite open some thousands. */
export const MAX_SESSIONS = 20_000;
/** The most listening streams of one session; a client that reconnects may have an old one that has not died yet. */
export const MAX_LISTENING = 8;
/** The most messages that wait for one stream with nobody to read it. */
export const MAX_KEPT_MESSAGES = 1_000;
/** The most bytes of messages that wait for readers or may be asked for again, in one server. */
export const MAX_KEPT_BYTES = 64 * 1024 * 1024;
/** The most events of one session that a client may ask for again. */
export const MAX_REPLAY_EVENTS = 1_000;
/** The most answers of one session that were cut off and may be resumed. */
export const MAX_DETACHED = 1_000;
/** The most sessions that are closed and still have lists of actions on their way. */
export const MAX_CLOSED_SESSIONS = 1_000;
/** The most requests of one server that are not through: one connection may send many without reading. */
export const MAX_EXCHANGES = 100_000;
/** What readers may leave in memory together before new requests are refused, in bytes. */
export const MAX_PENDING_BYTES = 256 * 1024 * 1024;
/** After so many bytes sent it is looked how much waits for readers: seldom enough to cost nothing. */
export const LOOK_AFTER_BYTES = 16 * 1024 * 1024;
/** How long a connection may be idle, in milliseconds: longer than clients keep theirs, so that no request meets a closing one. */
export const KEEP_ALIVE_MS = 60_000;
/** How long the carrier tries to listen on its port again after it was down, in milliseconds. */
export const LISTEN_AGAIN_MS = 10_000;
