// Shares the connections of pages between workspaces: they take turns, and none has more than its part, however many of its pages are slow.
import { AsyncLocalStorage } from 'node:async_hooks';
import { ClientGoneError } from '../errors.ts';
import { gated, tooManyWait } from './narrow.ts';

/** Calls of one workspace that wait; more are told to come back. */
const MAX_WAITING = 200;

export interface Asker {
  /** Whose turn it is: a workspace, or a person whose page is of none. */
  readonly group: string;
  isGone(): boolean;
}

const NOBODY: Asker = { group: '', isGone: () => false };
const askers = new AsyncLocalStorage<Asker>();

/** The calls that `work` makes are this asker's. */
export const askAs = <T>(asker: Asker, work: () => T): T => askers.run(asker, work);

/** Who asks now, for work that goes on elsewhere, such as a download. */
export const presentAsker = (): Asker => askers.getStore() ?? NOBODY;

interface Waiting {
  readonly asker: Asker;
  start(error?: Error): void;
}

interface Group {
  running: number;
  readonly waiting: Waiting[];
}

/**
 * The same calls, at most `places` at a time, and at most `perGroup` of one group. The groups that wait take turns: those with fewer running come first.
 * @throws {ClientGoneError} When the turn comes, nobody waits for the answer any more.
 * @throws {NotReadyError} Too many of the group are waiting.
 */
export function inTurns<Calls extends object>(calls: Calls, places: number, perGroup: number): Calls {
  /** In the order of their turns: a group goes to the end when it has had one. */
  const groups = new Map<string, Group>();
  let running = 0;

  const leave = (name: string, group: Group) => () => {
    running -= 1;
    group.running -= 1;
    if (group.running === 0 && group.waiting.length === 0) groups.delete(name);
    startNext();
  };

  /** Of the groups that wait, one with the fewest calls running; of these the one whose last turn is the longest ago. */
  function nextGroup(): [name: string, group: Group] | undefined {
    let next: [string, Group] | undefined;
    for (const [name, group] of groups) {
      const mayStart = group.waiting.length > 0 && group.running < perGroup;
      if (mayStart && group.running < (next?.[1].running ?? perGroup)) next = [name, group];
    }
    return next;
  }

  function startNext(): void {
    while (running < places) {
      const [name, group] = nextGroup() ?? [];
      const next = group?.waiting.shift();
      if (name === undefined || group === undefined || next === undefined) return;
      if (next.asker.isGone()) {
        next.start(new ClientGoneError());
        if (group.running === 0 && group.waiting.length === 0) groups.delete(name);
        continue;
      }
      groups.delete(name);
      groups.set(name, group);
      running += 1;
      group.running += 1;
      next.start();
    }
  }

  return gated(calls, async () => {
    const asker = presentAsker();
    const group = groups.get(asker.group) ?? { running: 0, waiting: [] };
    if (group.waiting.length >= MAX_WAITING) throw tooManyWait();
    groups.set(asker.group, group);
    await new Promise<void>((resolve, reject) => {
      group.waiting.push({ asker, start: (error) => (error === undefined ? resolve() : reject(error)) });
      startNext();
    });
    return leave(asker.group, group);
  });
}
