// Runs test files by plain Node, some at a time, on a PostgreSQL that stays running between calls:
//   node test/runner/run.ts FILE...     these files
//   node test/runner/run.ts --changed   those that the difference to main touches
//   node test/runner/run.ts --all       the whole suite but for the browser's, and ends PostgreSQL
//   node test/runner/run.ts --end       ends PostgreSQL
import { availableParallelism } from 'node:os';
import { clusterUrl } from '../fixtures/cluster.ts';
import { endCluster, templateName } from '../fixtures/template.ts';
import { affectedBy, changedFiles } from './affected.ts';
import { type Ran, runFile } from './file.ts';
import { ROOT, reaches } from './graph.ts';
import { suite } from './suite.ts';

const SLOWEST = 10;

/** The files to run, by the arguments of the command line. */
function filesOf(args: readonly string[]): string[] {
  if (args.includes('--all')) return suite();
  if (!args.includes('--changed')) return args.filter((arg) => !arg.startsWith('--'));
  const changed = changedFiles(ROOT);
  const affected = affectedBy(changed, suite());
  console.log(`# ${changed.length} changed files touch ${affected.length} test files`);
  return affected;
}

/** Runs files in their order, one more at a time than there are processors, because some files mostly wait. */
async function runAll(files: readonly string[], env: Record<string, string>): Promise<Ran[]> {
  const left = [...files];
  const ran: Ran[] = [];
  const work = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      const result = await runFile(file, { cwd: ROOT, env });
      ran.push(result);
      if (!result.passed) console.log(result.failures);
      console.log(`${result.passed ? 'ok' : 'not ok'} ${ran.length} - ${file} # time=${result.milliseconds}ms`);
    }
  };
  await Promise.all(Array.from({ length: Number(process.env.TEST_JOBS) || Math.min(availableParallelism() + 1, 4) }, work));
  return ran;
}

function summarize(ran: readonly Ran[]): void {
  if (ran.length > SLOWEST) {
    const slowest = [...ran].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, SLOWEST);
    console.log(
      `# The slowest: ${slowest.map(({ file, milliseconds }) => `${file} ${(milliseconds / 1000).toFixed(1)} s`).join(', ')}`,
    );
  }
  const failed = ran.filter(({ passed }) => !passed);
  const assertions = ran.reduce((sum, { assertions }) => sum + assertions, 0);
  console.log(`# ${ran.length - failed.length} of ${ran.length} files passed, ${assertions} assertions`);
  for (const { file } of failed) console.log(`# failed: ${file}`);
}

const args = process.argv.slice(2);
const files = filesOf(args);
if (files.length > 0) {
  const env: Record<string, string> = {};
  // A file without a database starts none.
  if (files.some((file) => reaches(file, 'test/fixtures/cluster.ts'))) {
    env.TEST_CLUSTER_URL = await clusterUrl();
    env.TEST_TEMPLATE = templateName();
  }
  const started = Date.now();
  const ran = await runAll(files, env);
  summarize(ran);
  console.log(`# time=${Date.now() - started}ms`);
  process.exitCode = ran.every(({ passed }) => passed) ? 0 : 1;
} else if (!args.includes('--end') && !args.includes('--changed')) {
  console.log('Name test files, or --changed, --all or --end.');
  process.exitCode = 1;
}
if (args.includes('--end') || args.includes('--all')) await endCluster();
