/**
 * Vectors of the naming scheme `mcp-qualified-64-v1` (S15, S16), each a server name, a raw name and the one public name
 * they make. The same list as snapshots/public-names.json; a test holds the two equal.
 */

/** One vector. */
export interface NameVector {
  readonly serverName: string;
  readonly rawName: string;
  readonly publicName: string;
}

/** All vectors. */
export const nameVectors: readonly NameVector[] = [
  { serverName: 'github', rawName: 'create_issue', publicName: 'mcp__github__create_issue' },
  { serverName: 'web', rawName: 'search', publicName: 'mcp__web__search' },
  { serverName: 'github', rawName: 'search', publicName: 'mcp__github__search' },
  { serverName: 'fixture', rawName: 'admin.reset', publicName: 'mcp__fixture__admin_reset_2d9bb2dfe9aa' },
  { serverName: 'fixture', rawName: 'admin_reset', publicName: 'mcp__fixture__admin_reset' },
  { serverName: 'fs', rawName: 'read-file', publicName: 'mcp__fs__read-file' },
  { serverName: 'a', rawName: 'b', publicName: 'mcp__a__b' },
  { serverName: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', rawName: 't', publicName: 'mcp__AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA__t' },
  { serverName: 's', rawName: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', publicName: 'mcp__s__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_4160b76ec4b4' },
  { serverName: 's', rawName: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', publicName: 'mcp__s__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx_065b956fb9c7' },
  { serverName: 's', rawName: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', publicName: 'mcp__s__xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' },
  { serverName: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', rawName: 'xxxxxxxxxxxxxxxxxxxxxxxxx', publicName: 'mcp__AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA__xxxxxxxxxxxxxxxxxxxxxxxxx' },
  { serverName: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', rawName: 'xxxxxxxxxxxxxxxxxxxxxxxxxx', publicName: 'mcp__AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA__xxxxxxxxxxxx_a294fa0a10b2' },
  { serverName: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', rawName: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', publicName: 'mcp__AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA__xxxxxxxxxxxx_a476c090acab' },
  { serverName: 's', rawName: 'get/user', publicName: 'mcp__s__get_user_2a3907b2b00e' },
  { serverName: 's', rawName: 'get user', publicName: 'mcp__s__get_user_4f8a6cae7f45' },
  { serverName: 's', rawName: 'get:user', publicName: 'mcp__s__get_user_b102df6ad08b' },
  { serverName: 's', rawName: 'get\tuser', publicName: 'mcp__s__get_user_47f722d281f5' },
  { serverName: 's', rawName: '', publicName: 'mcp__s__' },
  { serverName: 's', rawName: ' ', publicName: 'mcp__s____578a68921725' },
  { serverName: 's', rawName: '__proto__', publicName: 'mcp__s____proto__' },
  { serverName: 's', rawName: 'constructor', publicName: 'mcp__s__constructor' },
  { serverName: 's', rawName: 'toString', publicName: 'mcp__s__toString' },
  { serverName: 's', rawName: '\u5de5\u5177', publicName: 'mcp__s_____e17290e2fc3a' },
  { serverName: 's', rawName: 'na\u00efve', publicName: 'mcp__s__na_ve_0e6a661bebfb' },
  { serverName: 's', rawName: 'caf\u00e9', publicName: 'mcp__s__caf__bcecbb005ce1' },
  { serverName: 's', rawName: 'cafe\u0301', publicName: 'mcp__s__cafe__b384f2e82e28' },
  { serverName: 's', rawName: '\ud83d\ude00', publicName: 'mcp__s_____5d9186a1f5a2' },
  { serverName: 's', rawName: 'a\ud83d\ude00b', publicName: 'mcp__s__a__b_fd6c6b71852e' },
  { serverName: 's', rawName: 'line\nbreak', publicName: 'mcp__s__line_break_1c5f8c71c9b0' },
  { serverName: 's', rawName: 'nul\u0000byte', publicName: 'mcp__s__nul_byte_dd01f0c1d493' },
  { serverName: 's', rawName: '\uff26\uff55\uff4c\uff4c', publicName: 'mcp__s_______c9ba4b32e4f7' },
  { serverName: 's', rawName: '.', publicName: 'mcp__s____91f4d7667439' },
  { serverName: 's', rawName: '..', publicName: 'mcp__s_____b2dd25ccfb7f' },
  { serverName: 's', rawName: 'a.b', publicName: 'mcp__s__a_b_407e8e5cd262' },
  { serverName: 's', rawName: 'a_b', publicName: 'mcp__s__a_b' },
  { serverName: 's', rawName: 'a-b', publicName: 'mcp__s__a-b' },
  { serverName: 'plugin_jenkins-mcp-plugin_jenkin', rawName: 'jenkins_get_build_console', publicName: 'mcp__plugin_jenkins-mcp-plugin_jenkin__jenkins_get_build_console' },
  { serverName: 'atlassian-rovo-mcp-server-cloud', rawName: 'createConfluencePageWithAttachmentsAndPermissions', publicName: 'mcp__atlassian-rovo-mcp-server-cloud__createConflue_7afa6bd12c70' },
  { serverName: 'atlassian-rovo-mcp-server-cloud', rawName: 'deleteConfluencePageWithAttachmentsAndPermissions', publicName: 'mcp__atlassian-rovo-mcp-server-cloud__deleteConflue_3dc36cec8caf' },
  { serverName: '-', rawName: '-', publicName: 'mcp__-__-' },
  { serverName: '_', rawName: '_', publicName: 'mcp______' },
  { serverName: '0', rawName: '0', publicName: 'mcp__0__0' },
];
