/** A short example of what stands under a key, for the message of one who wrote something else. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  tools: '[{ name: read }]',
  toolLists: '{ later: [{ name: read }] }',
  pagination: '{ pageSize: 100 }',
  rules: '[{ when: { method: tools/call }, do: [{ exit: 1 }] }]',
  when: '{ method: tools/call }',
  do: '[{ exit: 1 }]',
  servers: '{ files: { scenario: { scenario: 1 } } }',
  scenario: '{ scenario: 1, tools: [{ name: read }] }',
  steps: '[{ open: true }]',
  judge: '[NAMING-001]',
  reports: '[R08]',
};
