// The units of deploy/systemd: systemd reads them without a word, and finds little exposed.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

const UNITS = new URL('../../deploy/systemd/', import.meta.url).pathname;
/** Of 10. systemd calls 3 OK. */
const MOST_EXPOSED = 3;
const analyze = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' });
const isHere = analyze('--version').status === 0;

t.test('the units', { skip: !isHere && 'systemd-analyze is missing' }, async (t) => {
  const folder = t.testdir({});
  const units = readdirSync(UNITS).map((name) => {
    const file = join(folder, name.replace('@', '@3001'));
    copyFileSync(join(UNITS, name), file);
    return file;
  });
  t.ok(units.length > 3);
  const { stderr } = analyze('verify', '--man=no', ...units);
  // The program isn't installed here.
  t.strictSame(
    stderr.split('\n').filter((line) => line.includes('invitation-trigger') && !line.includes('is not executable')),
    [],
  );
  for (const unit of units.filter((file) => file.endsWith('.service'))) {
    const { stdout } = analyze('security', '--offline=true', unit);
    const score = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1]);
    t.ok(score < MOST_EXPOSED, `${unit.slice(folder.length + 1)}: ${score}`);
  }
});
