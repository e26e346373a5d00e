// What a handler adds to its request's line in the log: ids by which the line is found, and never a name, an address or a secret.
import type { IncomingMessage } from 'node:http';

export interface Notes {
  readonly workspace?: string | null | undefined;
  readonly survey?: string | null | undefined;
  readonly batch?: string | undefined;
  readonly invitation?: string | null | undefined;
  /** A member's session, as the view member_sessions has it. */
  readonly session?: string | undefined;
  readonly signed_in?: string;
  readonly client_address?: string;
}

const notes = new WeakMap<IncomingMessage, Record<string, unknown>>();

/** Fields that are null or undefined are left out. */
export function note(request: IncomingMessage, fields: Notes): void {
  const known = Object.entries(fields).filter(([, value]) => value != null);
  notes.set(request, { ...notes.get(request), ...Object.fromEntries(known) });
}

export const notesOf = (request: IncomingMessage): object => notes.get(request) ?? {};
