// Limits how many connections public requests use at a time. However many requests arrive, the other connections stay free.
import { NotReadyError } from '../errors.ts';

/** How many calls may wait. Nobody would wait longer for a page, so further calls fail at once and the client is told to try again. */
const MAX_WAITING = 500;

export const tooManyWait = () => new NotReadyError('too many page requests are waiting for the database');

/** The same calls. Each waits for `enter` first, and calls the function that `enter` returned when it has finished. */
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

/** The same calls, but at most `width` of them run at a time. With a width of 2, a third call waits until one of the two ends. */
export function narrow<Calls extends object>(calls: Calls, width: number, maxWaiting = MAX_WAITING): Calls {
  let running = 0;
  const waiting: (() => void)[] = [];

  const leave = () => {
    const next = waiting.shift();
    // The next call takes over this call's place, so the number of running calls stays the same.
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
