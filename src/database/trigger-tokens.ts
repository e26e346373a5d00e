// Trigger tokens.
import type { Queries, Row } from './mapping.ts';

export interface TokenSettings {
  readonly name?: string | undefined;
  readonly cooldownSeconds?: number | undefined;
  readonly defaultSubject?: string | undefined;
  readonly defaultMessage?: string | undefined;
  readonly defaultReminderDays?: number | undefined;
  /** Null in the database: the invitation's. An empty text takes it back to that. */
  readonly defaultReminderSubject?: string | undefined;
  readonly defaultReminderMessage?: string | undefined;
}

/** What a member sets of a token. An empty reminder subject or message: the invitation's. */
export interface TokenFields {
  readonly name: string;
  readonly cooldownSeconds: number;
  readonly defaultSubject: string;
  readonly defaultMessage: string;
  readonly defaultReminderDays: number;
  readonly defaultReminderSubject: string;
  readonly defaultReminderMessage: string;
}

/** A token that is to be created: its secret is made by the caller, and only its hash is passed on. */
export interface NewToken {
  /** Of the form: sent twice, it creates one token. */
  readonly id: string;
  readonly name: string;
  readonly cooldownSeconds: number;
  readonly secretHash: Buffer;
  readonly secretHint: string;
}

export interface TokenCard {
  readonly id: string;
  readonly name: string;
  /** The last four characters of the secret. */
  readonly secretHint: string;
  readonly cooldownSeconds: number;
  readonly defaultSubject: string;
  readonly defaultMessage: string;
  readonly defaultReminderDays: number;
  readonly defaultReminderSubject: string | null;
  readonly defaultReminderMessage: string | null;
  readonly lastAcceptedAt: Date | null;
  /** A member's address; null: the command line or the product. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
  /** Its refused requests of the last 24 hours. */
  readonly rejected: number;
  /** The product's own survey page, if it has one. */
  readonly surveyPublicUrl: string | null;
}

export function triggerTokensCalls({ sql, value }: Queries) {
  return {
    /** Creates a trigger token from the hash of its secret. Returns its id. */
    createTriggerToken: (token: TokenSettings & { surveyId: string; secretHash: Buffer; secretHint: string }) =>
      value<string>(sql`
        select invite.create_trigger_token(
          ${token.surveyId}, ${token.name ?? null}, ${token.secretHash}, ${token.secretHint},
          ${token.cooldownSeconds ?? null}, ${token.defaultSubject ?? null}, ${token.defaultMessage ?? null},
          ${token.defaultReminderDays ?? null}, default_reminder_subject => ${token.defaultReminderSubject ?? null},
          default_reminder_message => ${token.defaultReminderMessage ?? null})`),

    updateTriggerToken: (tokenId: string, token: TokenSettings) =>
      sql`
        select invite.update_trigger_token(
          ${tokenId}, ${token.name ?? null}, ${token.cooldownSeconds ?? null}, ${token.defaultSubject ?? null},
          ${token.defaultMessage ?? null}, ${token.defaultReminderDays ?? null}, ${token.defaultReminderSubject ?? null},
          ${token.defaultReminderMessage ?? null})`,

    deleteTriggerToken: (tokenId: string) => sql`select invite.delete_trigger_token(${tokenId})`,

    listTriggerTokens: (surveyId: string) =>
      sql<Row[]>`select * from invite.trigger_token_overview where survey_id = ${surveyId} order by created_at, id`,
  };
}

/** For members: each takes the hash of a session first, and SQL decides what that member may do. */
export function consoleTriggerTokensCalls({ sql, records, json }: Queries) {
  return {
    /** A page of the live tokens of a survey. @param afterId Undefined: the first page. */
    listTriggerTokens: (session: Buffer, surveyId: string, afterId: string | undefined, maxRows: number) =>
      records<TokenCard>(sql`
        select * from console.trigger_tokens(${session}, ${surveyId}, after_id => ${afterId ?? null}, max_rows => ${maxRows})`),

    /** One live token of a survey; undefined if there is none. */
    findTriggerToken: async (session: Buffer, surveyId: string, tokenId: string): Promise<TokenCard | undefined> =>
      (await records<TokenCard>(sql`select * from console.trigger_tokens(${session}, ${surveyId}, ${tokenId})`))[0],

    createTriggerToken: (session: Buffer, surveyId: string, token: NewToken) =>
      sql`
        select console.create_trigger_token(
          ${session}, ${surveyId}, ${token.id}, ${token.name}, ${token.secretHash}, ${token.secretHint}, ${token.cooldownSeconds})`,

    updateTriggerToken: (session: Buffer, surveyId: string, tokenId: string, token: TokenFields) =>
      sql`
        select console.update_trigger_token(${session}, ${surveyId}, ${tokenId}, ${json({
          name: token.name,
          cooldown_seconds: token.cooldownSeconds,
          default_subject: token.defaultSubject,
          default_message: token.defaultMessage,
          default_reminder_days: token.defaultReminderDays,
          default_reminder_subject: token.defaultReminderSubject,
          default_reminder_message: token.defaultReminderMessage,
        })})`,

    deleteTriggerToken: (session: Buffer, surveyId: string, tokenId: string) =>
      sql`select console.delete_trigger_token(${session}, ${surveyId}, ${tokenId})`,
  };
}
