// The image of a scripted server over HTTP: this machine's own Node with its shared libraries, and the built fixture. Made
// by importing a tar, since no image registry may be at hand. Its tag names its content, so it is made once.
//
//   node scripts/container/image.mjs     prints one line of JSON: { image, command } or { unavailable, command }
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getContainerRuntimeClient } from 'testcontainers';

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const fixture = path.join(root, 'fixture-servers');
/** Where the fixture lies in the image, and its entry. */
const APP = '/app';
/** Starts one scripted server in a container of the image: what a command begins with. */
export const CONTAINER_COMMAND = ['/usr/local/bin/node', `${APP}/dist/carriers/http-entry.js`];

/**
 * An image, or why there is none.
 * @typedef {{ image: string } | { unavailable: string }} FixtureImage
 */

/** The shared libraries of a program, the loader among them, as the system's own tool tells them. Absolute paths. */
function librariesOf(/** @type {string} */ program) {
  const lines = execFileSync('ldd', [program], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}

/** Names the content: the Node that runs here and every file of the built fixture. */
function fingerprint() {
  const hash = createHash('sha256').update(process.version).update(process.arch);
  const dist = path.join(fixture, 'dist');
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js')).sort()) {
    hash.update(name).update(readFileSync(path.join(dist, name)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** @param {string} stage a folder that becomes the root of the image */
function fill(stage) {
  const node = realpathSync(process.execPath);
  for (const [from, to] of [[node, '/usr/local/bin/node'], ...librariesOf(node).map((file) => [realpathSync(file), file])]) {
    const target = path.join(stage, to ?? '');
    mkdirSync(path.dirname(target), { recursive: true });
    cpSync(from ?? '', target);
  }
  mkdirSync(path.join(stage, 'tmp'));
  cpSync(path.join(fixture, 'dist'), path.join(stage, APP, 'dist'), { recursive: true, filter: (file) => !file.endsWith('.d.ts') });
  cpSync(path.join(fixture, 'package.json'), path.join(stage, APP, 'package.json'));
}

/**
 * Makes the image if it is not there.
 * @returns {Promise<FixtureImage>}
 */
export async function fixtureImage() {
  if (process.platform !== 'linux') return { unavailable: `the image is made of this machine's own Node, and ${process.platform} has none for Linux` };
  if (!existsSync(path.join(fixture, 'dist'))) return { unavailable: 'the fixture is not built; run npm run build' };
  /** @type {Awaited<ReturnType<typeof getContainerRuntimeClient>>} */
  let client;
  try {
    client = await getContainerRuntimeClient();
  } catch (error) {
    return { unavailable: `no container engine answers: ${error instanceof Error ? error.message : String(error)}` };
  }
  const { dockerode } = client.container;
  const tag = fingerprint();
  const image = `mcp-fixture-server:${tag}`;
  const there = await dockerode.listImages({ filters: { reference: [image] } });
  if (there.length > 0) return { image };
  const stage = mkdtempSync(path.join(tmpdir(), 'fixture-image-'));
  try {
    fill(stage);
    const tar = spawn('tar', ['-C', stage, '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const progress = await dockerode.importImage(tar.stdout, { repo: 'mcp-fixture-server', tag });
    // Earlier content is of no use any more; one that still runs stays.
    const earlier = await dockerode.listImages({ filters: { reference: ['mcp-fixture-server'] } });
    for (const { RepoTags = [] } of earlier) {
      for (const name of RepoTags) if (name !== image) await dockerode.getImage(name).remove().catch(() => undefined);
    }
    await new Promise((resolve, reject) => dockerode.modem.followProgress(progress, (error) => (error ? reject(error) : resolve(undefined))));
    return { image };
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
  console.log(JSON.stringify({ ...(await fixtureImage()), command: CONTAINER_COMMAND }));
}
