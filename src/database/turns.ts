// Shares the database connections of pages between workspaces. Workspaces take turns, and even if many pages of one workspace are slow, it
// uses only its share of the connections.
import { AsyncLocalStorage } from 'node:async_hooks';
import { ClientGoneError } from '../errors.ts';
import { gated, tooManyWait } from './narrow.ts';

/** How many calls of one workspace may wait. Further calls fail at once, and the client is told to try again. */
const MAX_WAITING = 200;

export interface Asker {
  /** The group that takes turns: a workspace, or a person whose page belongs to no workspace. */
  readonly group: string;
  isGone(): boolean;
}

const NOBODY: Asker = { group: '', isGone: () => false };
const askers = new AsyncLocalStorage<Asker>();

/** Runs `work`. The calls that it makes belong to this asker. */
export const askAs = <T>(asker: Asker, work: () => T): T => askers.run(asker, work);

/** The current asker, for work that continues elsewhere, such as a download. */
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
 * The same calls, but at most `places` run at a time, and at most `perGroup` of one group. Groups with waiting calls take turns. The group
 * with the fewest running calls comes first. With 4 places and 2 per group, a workspace that opens ten slow pages runs two of them, and
 * another workspace's page starts at once.
 * @throws {ClientGoneError} The client disconnected before its call could start.
 * @throws {NotReadyError} Too many calls of the group are waiting.
 */
export function inTurns<Calls extends object>(calls: Calls, places: number, perGroup: number): Calls {
  /** In the order of their turns. A group moves to the end after its turn. */
  const groups = new Map<string, Group>();
  let running = 0;

  const leave = (name: string, group: Group) => () => {
    running -= 1;
    group.running -= 1;
    if (group.running === 0 && group.waiting.length === 0) groups.delete(name);
    startNext();
  };

  /**
   * Finds the group with the fewest running calls among the groups that wait. If several have equally few, the group whose last turn is
   * longest ago comes first.
   */
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
