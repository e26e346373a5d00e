// A helper process of the benchmark: the load, the relay or a reference. It reports when it is ready, and answers one question at a time.
import { type ChildProcess, fork } from 'node:child_process';
import { adopt, end } from '../fixtures/child.ts';

export interface Script<Question, Answer> {
  /** The address of the process; empty if it doesn't listen. */
  readonly url: string;
  readonly child: ChildProcess;
  ask(question: Question): Promise<Answer>;
  end(): Promise<void>;
}

/** Starts a script of this folder. @param env Variables for the script, in addition to the path and a quiet log. */
export async function startScript<Question = never, Answer = never>(
  name: string,
  env: Record<string, string> = {},
): Promise<Script<Question, Answer>> {
  const child = adopt(fork(new URL(name, import.meta.url), { env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn', ...env } }));
  let heard = Promise.withResolvers<unknown>();
  child.on('message', (said) => heard.resolve(said));
  child.once('exit', () => {
    // Without this, the process would fail on a rejection that nothing awaits.
    heard.promise.catch(() => {});
    heard.reject(new Error(`${name} ended instead of answering`));
  });
  const hear = async (): Promise<unknown> => {
    const said = await heard.promise;
    heard = Promise.withResolvers();
    return said;
  };
  const { url } = (await hear()) as { url: string };
  return {
    url,
    child,
    async ask(question) {
      child.send(question as object);
      return (await hear()) as Answer;
    },
    end: () => end(child, 'SIGKILL'),
  };
}

/** Runs in the script: reports that it is ready, and answers questions. */
export function answer<Question, Answer>(url: string, handle: (question: Question) => Promise<Answer> | Answer): void {
  process.on('message', async (question: Question) => process.send?.(await handle(question)));
  process.once('disconnect', () => process.exit());
  process.send?.({ url });
}
