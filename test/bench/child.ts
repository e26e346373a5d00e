// A helper process of the benchmark: the load, the relay, a reference. It reports when it is ready, and answers one question at a time.
import { type ChildProcess, fork } from 'node:child_process';
import { adopt, end } from '../fixtures/child.ts';

export interface Script<Question, Answer> {
  /** Its address; empty if it does not listen. */
  readonly url: string;
  readonly child: ChildProcess;
  ask(question: Question): Promise<Answer>;
  end(): Promise<void>;
}

/** Starts a script of this folder. @param env Its environment, beside the path and a quiet log. */
export async function startScript<Question = never, Answer = never>(
  name: string,
  env: Record<string, string> = {},
): Promise<Script<Question, Answer>> {
  const child = adopt(fork(new URL(name, import.meta.url), { env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'warn', ...env } }));
  let heard = Promise.withResolvers<unknown>();
  child.on('message', (said) => heard.resolve(said));
  child.once('exit', () => {
    // Perhaps nobody waits for it.
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

/** The script's side: reports that it is ready, and answers. */
export function answer<Question, Answer>(url: string, handle: (question: Question) => Promise<Answer> | Answer): void {
  process.on('message', async (question: Question) => process.send?.(await handle(question)));
  process.once('disconnect', () => process.exit());
  process.send?.({ url });
}
