// The runner of the tests: what it says of a file that fails or hangs, and which tests it takes for touched.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { affectedBy } from './affected.ts';
import { runFile } from './file.ts';
import { ROOT, reaches } from './graph.ts';
import { suite } from './suite.ts';

/** Runs a test file with this text. It stands below the root, so that it finds tap. */
async function runText(text: string, idleMs?: number) {
  mkdirSync(join(ROOT, '.data'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.data/runner-'));
  const file = join(folder, 'a.test.ts');
  writeFileSync(file, `import t from 'tap';\n${text}`);
  try {
    return await runFile(file, { cwd: ROOT, env: {}, idleMs });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

t.test('a file that passes is counted', async (t) => {
  t.match(await runText("t.test('adds', async (t) => t.equal(1, 1)); t.ok(true);"), {
    passed: true,
    assertions: 2,
    failures: '',
  });
});

t.test('a failed assertion is shown with its tests and details; a crash, with what was printed last', async (t) => {
  const failed = await runText(
    "t.test('outer', async (t) => t.test('inner', async (t) => { t.ok(1); t.equal(1, 2, 'one is two'); }));",
  );
  t.equal(failed.passed, false);
  t.match(failed.failures, /^In: outer > inner\n +not ok 2 - one is two\n/);
  t.match(failed.failures, /-2\s+\+1/);
  const crashed = await runText("process.stderr.write('out of luck'); process.exit(3);");
  t.match(crashed, { passed: false, failures: /out of luck/ });
});

t.test('a file that hangs is ended when no assertion has finished for a while, and says where it stood', async (t) => {
  const hung = await runText(
    `import { spawn } from 'node:child_process';
    spawn('sleep', ['1000']);
    t.test('waits', async (t) => {
      t.ok(true, 'fine');
      await new Promise(() => setInterval(() => {}, 1000));
    });`,
    3000,
  );
  t.equal(hung.passed, false);
  t.match(hung.failures, /No assertion finished for 3 seconds[\s\S]*In: waits\nThe last assertion: ok 1 - fine/);
});

const touchedBy = (...changed: string[]) => affectedBy(changed, suite());

t.test('a change touches the tests that reach it by imports', async (t) => {
  const touched = touchedBy('src/mail/template.ts');
  t.ok(touched.includes('test/mail/template.test.ts'));
  t.ok(touched.includes('test/mail/render.test.ts'));
  t.notOk(touched.includes('test/sql/cancel.test.ts'));
  t.same(touchedBy('test/sql/cancel.test.ts'), ['test/sql/cancel.test.ts']);
  t.ok(touchedBy('test/fixtures/mail.ts').includes('test/mail/render.test.ts'));
  t.ok(touchedBy('src/console/batches/batches-view.ts').some((test) => test.startsWith('test/console/')));
});

t.test('a change of SQL touches the tests that name its function or a call of the store', async (t) => {
  const touched = touchedBy('sql/functions/admin/cancel_batch.sql');
  t.ok(touched.includes('test/sql/cancel.test.ts'));
  t.notOk(touched.includes('test/mail/render.test.ts'));
  t.ok(touched.length < suite().length / 2);
  t.ok(touchedBy('sql/console/search_recipients.sql').includes('test/sql/tenants.test.ts'), 'through a function that uses it');
  t.ok(touchedBy('sql/migrations/0001_schema.sql').includes('test/sql/cancel.test.ts'), 'the schema touches all with a database');
  t.notOk(touchedBy('sql/migrations/0001_schema.sql').includes('test/mail/template.test.ts'));
});

t.test('a change of a task or document touches the tests that name it; one of the packages touches all', async (t) => {
  t.ok(touchedBy('tasks/replay_webhooks.ts').includes('test/events/webhooks.test.ts'));
  t.ok(touchedBy('docs/http-api.md').includes('test/docs.test.ts'));
  t.same(touchedBy('package-lock.json'), suite());
});

t.test('a file without a database starts none', async (t) => {
  t.notOk(reaches('test/mail/template.test.ts', 'test/fixtures/cluster.ts'));
  t.ok(reaches('test/sql/cancel.test.ts', 'test/fixtures/cluster.ts'));
});
