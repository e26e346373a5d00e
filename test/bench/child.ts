// A process of the benchmark beside ours: the load, the relay, a reference. It says when it is ready, and answers one question at a time.
import { type ChildProcess, fork } from 'node:child_process';
import { adopt, end } from '../fixtures/child.ts';

export interface Script<Question, Answer> {
  /** Address that it listens on, if it does. */
  readonly url: string;
  readonly child: ChildProcess;
  ask(question: Question): Promise<Answer>;
  end(): Promise<void>;
}

/** Starts a script of this folder. @param env Besides the path and a quiet log: everything that it is told. */
export async function startScript<Question = never, Answer = never>(
  name: string,
  env: Record<string, string> = {},
): Promise<Script<Question, Answer>> {
  const child = adopt(fork(new URL(name, import.meta.url), { env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn', ...env } }));
  let heard = Promise.withResolvers<unknown>();
  child.on('message', (said) => heard.resolve(said));
  child.once('exit', () => {
    // Nobody may be waiting when it is ended.
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

/** The other side, in the script: says that it is ready, and answers. */
export function answer<Question, Answer>(url: string, handle: (question: Question) => Promise<Answer> | Answer): void {
  process.on('message', async (question: Question) => process.send?.(await handle(question)));
  process.once('disconnect', () => process.exit());
  process.send?.({ url });
}
