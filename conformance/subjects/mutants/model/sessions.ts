import type { OpenedSession, Session } from 'cordis-plugin-mcp-bridge/internal';

/** A session with some methods replaced; everything else is the original's. */
export function replaced(session: OpenedSession, methods: Partial<Pick<Session, 'listToolsPage' | 'callTool' | 'close'>>): OpenedSession {
  return {
    server: session.server,
    pid: session.pid,
    closed: session.closed,
    get isOpen() {
      return session.isOpen;
    },
    listToolsPage: methods.listToolsPage ?? ((cursor, limits) => session.listToolsPage(cursor, limits)),
    callTool: methods.callTool ?? ((rawName, args, limits) => session.callTool(rawName, args, limits)),
    close: methods.close ?? (() => session.close()),
  };
}
