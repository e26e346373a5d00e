// The envelope sender of an email that leaves by SMTP. Each email has an address of its own, so that a bounce says which one it is about. The
// address has a MAC, so that nobody who hasn't seen an email can report that it bounced. Pure.
import type { OutgoingMessage } from './relay.ts';

export interface Signer {
  /** The MAC of a text: 20 characters of a–f and 0–9. */
  sign(text: string): string;
  isSigned(text: string, mac: string): boolean;
}

/** The email that an address names. */
export interface SentEmail {
  readonly home: string;
  readonly invitationId: string;
  /** 0: the invitation. From 1: its reminders. */
  readonly number: number;
}

export interface ReturnPath {
  /** Undefined: the email is no invitation, and keeps its sender as envelope sender. */
  addressFor(message: OutgoingMessage): string | undefined;
  /** The email that a report names in its header, or where it quotes the email. Undefined: none with a valid MAC. */
  find(report: string): SentEmail | undefined;
}

/** Addresses in one report whose MAC is checked. A real one has a few. */
const MAX_CANDIDATES = 100;

/** @param address SMTP_RETURN_PATH: what follows its `+` reaches the same mailbox. */
export function createReturnPath(address: string, { sign, isSigned }: Signer): ReturnPath {
  const [local = '', domain = ''] = address.split('@');
  const named = (home: string, id: string, number: string) => `return-path ${home}-${id}-${number}`;
  return {
    addressFor({ home, id, number }) {
      if (!home || number === undefined) return undefined;
      const short = BigInt(id).toString(36);
      return `${local}+${home}-${short}-${number}-${sign(named(home, short, String(number)))}@${domain}`;
    },
    find(report) {
      let checked = 0;
      // Mail servers may change the case.
      for (const [, home = '', id = '', number = '', mac = ''] of report.toLowerCase().matchAll(ADDRESS)) {
        checked += 1;
        if (checked > MAX_CANDIDATES) return undefined;
        if (isSigned(named(home, id, number), mac))
          return { home, invitationId: String(Number.parseInt(id, 36)), number: Number(number) };
      }
      return undefined;
    },
  };
}

/** The id has at most 53 bits. */
const ADDRESS = /\+([a-z0-9]{8})-([a-z0-9]{1,11})-(\d{1,2})-([0-9a-f]{20})(?=@|=40|%40)/g;
