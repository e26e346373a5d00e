// What workspaces have recipients read in place of the service's own texts.
import type { Queries, Row } from './mapping.ts';

/** A language that a workspace words itself. */
export interface WordingLanguage {
  readonly language: string;
  /** The service's language under it. Null: the service doesn't speak it. */
  readonly base: string | null;
  readonly informal: boolean;
  /** Whether recipients are addressed in it. */
  readonly spoken: boolean;
  /** How many texts are the workspace's own, not worded although the service doesn't speak the language, and written before the service's changed. */
  readonly own: number;
  readonly missing: number;
  readonly outdated: number;
}

/** A text of the service, in this language or else in English, and the workspace's own. */
export interface WordingLine {
  readonly name: string;
  readonly serviceText: string;
  readonly ownText: string | null;
  /** What the service said when the own text was written. */
  readonly originalText: string | null;
}

export interface OwnWording extends Pick<WordingLanguage, 'base' | 'informal' | 'spoken'> {
  /** Whether the service can address readers of this language formally and informally. */
  readonly hasInformal: boolean;
  readonly lines: readonly WordingLine[];
}

/** Why a text is refused: see wording_errors.sql. */
export interface WordingError {
  readonly name: string;
  readonly code: string;
  readonly placeholders?: readonly string[];
}

/** By name; an empty text removes one. */
export type WordingChanges = Readonly<Record<string, string>>;

export function wordingsCalls({ sql, value, json }: Queries) {
  return {
    /** @param key Of the workspace's column wording. Null: it has no words of its own any more. */
    findWording: (key: string) =>
      value<Readonly<Record<string, { informal: boolean; words: Readonly<Record<string, string>> }>> | null>(
        sql`select invite.find_wording(${key})`,
      ),

    setWording: (workspaceId: string, language: string, words: WordingChanges, informal: boolean | null = null) =>
      sql`select invite.set_wording(${workspaceId}, ${language}, ${json(words)}, ${informal})`,

    listWordingLanguages: (workspaceId: string) => sql<Row[]>`select * from invite.wording_languages(${workspaceId})`,

    listWordingLines: (workspaceId: string, language: string) =>
      sql<Row[]>`select * from invite.wording_lines(${workspaceId}, ${language})`,
  };
}

export function consoleWordingsCalls({ sql, value, one, records, json }: Queries) {
  return {
    wordingLanguages: (session: Buffer, workspaceId: string) =>
      records<WordingLanguage>(sql`select * from console.wording_languages(${session}, ${workspaceId})`),

    wording: (session: Buffer, workspaceId: string, language: string) =>
      one<OwnWording>(sql`select * from console.wording(${session}, ${workspaceId}, ${language})`),

    /** What setWording would refuse. Null: nothing. */
    wordingErrors: (session: Buffer, workspaceId: string, words: WordingChanges) =>
      value<readonly WordingError[] | null>(sql`select console.wording_errors(${session}, ${workspaceId}, ${json(words)})`),

    /** @param before The words that `words` changes. Resolves to false if others have changed them meanwhile. */
    setWording: (
      session: Buffer,
      workspaceId: string,
      language: string,
      words: WordingChanges,
      informal: boolean | null,
      before: WordingChanges,
    ) =>
      value<boolean>(
        sql`select console.set_wording(${session}, ${workspaceId}, ${language}, ${json(words)}, ${informal}, ${json(before)})`,
      ),
  };
}
