// Which jobs a runner knows, while the database still has them as locked.
import { mock } from 'node:test';
import t from 'tap';
import { KnownJobs } from '../../src/worker/known-jobs.ts';

t.test('a job is known while it runs and for at least five seconds after, and then forgotten', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] });
  t.teardown(() => mock.timers.reset());
  const jobs = new KnownJobs();
  jobs.started('one', '1');
  jobs.started('two', '2');
  t.same([[...jobs.all()], jobs.isRunning], [['1', '2'], true]);
  mock.timers.tick(4_999);
  jobs.ended('one', '1');
  jobs.started('one', '3');
  mock.timers.tick(5_000);
  t.ok(jobs.all().has('1'));
  mock.timers.tick(5_000);
  t.same([...jobs.all()], ['2', '3']);
  jobs.workerStopped('one');
  jobs.workerStopped('two');
  t.same([[...jobs.all()], jobs.isRunning], [[], false], 'what had no end is not known');
  jobs.stop();
});
