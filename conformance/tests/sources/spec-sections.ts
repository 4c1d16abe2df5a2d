/** Pages and headings of the Model Context Protocol specification, revision 2025-11-25, that bind a client. */
const PAGES: Readonly<Record<string, readonly string[]>> = {
  basic: ['messages', 'requests', 'responses', 'notifications', 'json-schema-usage', 'general-fields', '_meta', 'icons'],
  'basic/lifecycle': [
    'lifecycle-phases', 'initialization', 'version-negotiation', 'capability-negotiation', 'operation', 'shutdown', 'stdio', 'http', 'timeouts', 'error-handling',
  ],
  'basic/transports': [
    'stdio', 'streamable-http', 'security-warning', 'sending-messages-to-the-server', 'listening-for-messages-from-the-server', 'multiple-connections',
    'resumability-and-redelivery', 'session-management', 'protocol-version-header', 'backwards-compatibility', 'custom-transports',
  ],
  'basic/authorization': ['token-handling', 'error-handling', 'access-token-usage'],
  'basic/utilities/cancellation': ['cancellation-flow', 'behavior-requirements', 'timing-considerations', 'implementation-notes', 'error-handling'],
  'basic/utilities/ping': ['message-format', 'behavior-requirements', 'usage-patterns', 'implementation-considerations', 'error-handling'],
  'basic/utilities/progress': ['progress-flow', 'behavior-requirements', 'implementation-notes'],
  'basic/utilities/tasks': ['capabilities', 'tool-level-negotiation', 'behavior-requirements'],
  'client/roots': ['capabilities', 'protocol-messages', 'error-handling'],
  'client/sampling': ['capabilities', 'protocol-messages', 'error-handling'],
  'client/elicitation': ['capabilities', 'protocol-messages', 'error-handling'],
  'server/tools': [
    'user-interaction-model', 'capabilities', 'listing-tools', 'calling-tools', 'list-changed-notification', 'tool', 'tool-names', 'tool-result', 'text-content', 'image-content',
    'audio-content', 'resource-links', 'embedded-resources', 'structured-content', 'output-schema', 'error-handling', 'security-considerations',
  ],
  'server/utilities/logging': ['capabilities', 'log-levels', 'setting-log-level', 'log-message-notifications'],
  'server/utilities/pagination': ['pagination-model', 'response-format', 'request-format', 'pagination-flow', 'operations-supporting-pagination', 'implementation-guidelines', 'error-handling'],
};

/** Whether the specification has this page, or this heading on it (`server/tools#calling-tools`). */
export function isSpecSection(section: string): boolean {
  const [page = '', heading] = section.split('#');
  const headings = PAGES[page];
  return headings !== undefined && (heading === undefined || headings.includes(heading));
}
