// Runs one test file in a process of its own, and reads the TAP that it prints.
import { spawn } from 'node:child_process';
import { performance } from 'node:perf_hooks';

/** After so long without a finished assertion a file hangs. */
const IDLE_MS = 180_000;
/** Lines of one failure that are printed, and of what a file without a failed assertion printed last. */
const MAX_LINES = 60;
const LAST_LINES = 40;

export interface Ran {
  readonly file: string;
  readonly passed: boolean;
  readonly milliseconds: number;
  readonly assertions: number;
  /** For a person: what failed, or where a file that hung stood. */
  readonly failures: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly idleMs?: number | undefined;
}

export async function runFile(file: string, { cwd, env, idleMs = IDLE_MS }: RunOptions): Promise<Ran> {
  const started = performance.now();
  // A group of its own, which ends with all that the file started. tap's own limit is off, because it counts from the start of a file and not
  // from its last assertion.
  const child = spawn(process.execPath, [file], {
    cwd,
    detached: true,
    env: { ...process.env, TAP_TIMEOUT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = createReader();
  let hung = false;
  const end = () => {
    hung = true;
    endGroup(child.pid);
  };
  let timer = setTimeout(end, idleMs);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      if (!output.read(text)) return;
      clearTimeout(timer);
      timer = setTimeout(end, idleMs);
    });
  const stop = () => endGroup(child.pid);
  process.once('exit', stop);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  process.removeListener('exit', stop);
  const passed = code === 0 && !hung;
  const failures = passed ? '' : hung ? output.whereItStands(idleMs) : output.failures();
  return { file, passed, milliseconds: Math.round(performance.now() - started), assertions: output.assertions(), failures };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const ASSERTION = /^ *(not )?ok \d+/;
/** A subtest's own line: its assertions were read before it. */
const SUBTEST_END = /^ *(?:not )?ok \d+.* # time=/;

/** Reads TAP as it comes. */
function createReader() {
  const lines: string[] = [];
  let rest = '';
  let assertions = 0;
  let last = '';
  const open: string[] = [];
  const failed: { readonly line: number; readonly test: string }[] = [];

  function readLine(line: string): boolean {
    lines.push(line);
    const subtest = /^ *# Subtest: (.*)/.exec(line)?.[1];
    if (subtest !== undefined) open.push(subtest);
    if (!ASSERTION.test(line)) return false;
    if (SUBTEST_END.test(line)) open.pop();
    else {
      assertions += 1;
      if (/^ *not/.test(line)) failed.push({ line: lines.length - 1, test: open.join(' > ') });
    }
    last = line.trim();
    return true;
  }

  return {
    assertions: () => assertions,

    /** Whether an assertion has finished. */
    read(text: string): boolean {
      const all = (rest + text).split('\n');
      rest = all.pop() ?? '';
      return all.map(readLine).includes(true);
    },

    whereItStands: (idleMs: number): string =>
      [
        `No assertion finished for ${idleMs / 1000} seconds, so the file was ended.`,
        `In: ${open.join(' > ') || 'the file, outside its tests'}`,
        `The last assertion: ${last || 'none'}`,
      ].join('\n'),

    /** The assertions that failed with their details; without one, what was printed last. */
    failures(): string {
      const shown = failed.flatMap(({ line, test }) => {
        const details = lines.slice(line, line + MAX_LINES);
        const end = details.findIndex((text) => /^ *\.\.\.$/.test(text));
        return [`In: ${test || 'the file, outside its tests'}`, ...details.slice(0, end === -1 ? MAX_LINES : end)];
      });
      return (shown.length > 0 ? shown : [...lines, rest].slice(-LAST_LINES)).join('\n');
    },
  };
}
