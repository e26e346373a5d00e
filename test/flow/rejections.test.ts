// Unhandled rejections end a process of the service, except when the rejection is a lost connection to PostgreSQL.
import { spawnSync } from 'node:child_process';
import t from 'tap';

const SERVICE = new URL('../../src/commands/service.ts', import.meta.url);
const LOG = new URL('../../src/log.ts', import.meta.url);

/** Runs a process with this unhandled rejection. @returns Its exit code and its output. */
function reject(error: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [
    '--input-type=module',
    '-e',
    `import { ignoreLostConnections } from '${SERVICE}';
     import { createLog } from '${LOG}';
     ignoreLostConnections(createLog('warn'));
     Promise.reject(${error});
     setImmediate(() => console.log('goes on'));`,
  ]);
  return { status, written: String(stdout) + String(stderr) };
}

const withStack = (stack: string, code?: string) =>
  `Object.assign(new Error('read ECONNRESET'), { stack: ${JSON.stringify(stack)}, code: ${JSON.stringify(code ?? null)} })`;

t.test('a lost connection does not, with frames of the job queue or without any', async (t) => {
  for (const error of [
    withStack('Error: read ECONNRESET\n    at TCP.onStreamRead (node:internal/stream_base_commons:216:20)', 'ECONNRESET'),
    withStack('Error: Connection terminated\n    at /srv/node_modules/pg/lib/client.js:694:17'),
  ]) {
    const { status, written } = reject(error);
    t.equal(status, 0);
    t.match(written, 'goes on');
    t.match(written, 'a connection to the database was lost');
  }
});

t.test('an error of ours does', async (t) => {
  const { status, written } = reject(`new TypeError('ours')`);
  t.not(status, 0);
  t.notMatch(written, 'goes on');
});
