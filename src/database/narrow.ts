// Leaves connections free: what anybody may ask takes few of them at a time, however many ask.
import { NotReadyError } from '../errors.ts';

/** For their turn; more are told to come back, instead of waiting for longer than anybody stays. */
const MAX_WAITING = 500;

export const tooManyWait = () => new NotReadyError('too many page requests are waiting for the database');

/** The same calls, each between entering and leaving. */
export function gated<Calls extends object>(calls: Calls, enter: () => Promise<() => void>): Calls {
  const throughGate =
    (call: (...args: unknown[]) => PromiseLike<unknown>) =>
    async (...args: unknown[]) => {
      const leave = await enter();
      try {
        return await call(...args);
      } finally {
        leave();
      }
    };
  const wrap = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, call]) => [name, typeof call === 'function' ? throughGate(call) : wrap(call)]),
    ) as Part;
  return wrap(calls);
}

/** The same calls, all of them together at most so many at a time. */
export function narrow<Calls extends object>(calls: Calls, width: number, maxWaiting = MAX_WAITING): Calls {
  let running = 0;
  const waiting: (() => void)[] = [];

  const leave = () => {
    const next = waiting.shift();
    // It takes over the place.
    if (next !== undefined) next();
    else running -= 1;
  };
  return gated(calls, async () => {
    if (running < width) running += 1;
    else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw tooManyWait();
    return leave;
  });
}
