// Logos that workspaces have uploaded.
import type { Queries } from './mapping.ts';

export interface Logo {
  /** Half of the picture's SHA-256, its sides, and its kind, such as `…-240x80.png`. */
  readonly name: string;
  readonly picture: Buffer;
}

export function logosCalls({ sql, value }: Queries) {
  return {
    /** @param home Of its workspace. Null: there is none of this name. */
    findLogo: (home: string, name: string) => value<Buffer | null>(sql`select invite.find_logo(${home}, ${name})`),

    /** Returns its path, for a sender's logo_url. */
    addLogo: (workspaceId: string, { name, picture }: Logo) =>
      value<string>(sql`select invite.add_logo(${workspaceId}, ${name}, ${picture})`),
  };
}

export function consoleLogosCalls({ sql, value }: Queries) {
  return {
    /** Returns its path, for a sender's logo_url. */
    addLogo: (session: Buffer, workspaceId: string, { name, picture }: Logo) =>
      value<string>(sql`select console.add_logo(${session}, ${workspaceId}, ${name}, ${picture})`),
  };
}
