// What the SQL functions of the API trigger's pages take and give back, typed.
import type { REFUSALS } from './trigger-records.ts';

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
  readonly refused: number;
  /** The product's own survey page, if it has one. */
  readonly surveyPublicUrl: string | null;
}

/** Refused requests of a token with one code. */
export interface RefusalCard {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly secretHint: string;
  readonly deleted: boolean;
  readonly code: string;
  readonly refusedDay: number;
  readonly refusedWeek: number;
  readonly lastAt: Date;
  /** The field and the rule; null: the code says it all. */
  readonly lastDetail: string | null;
}

/** Refused requests as they are recorded. */
export interface RefusalCount {
  /** SHA-256 of the secret, as `\x…`. */
  readonly secret_hash: string;
  readonly code: string;
  readonly refused: number;
  /** How long ago the last of them was. */
  readonly age_seconds: number;
  readonly detail?: string | undefined;
}

/** What refuses every request to a survey, whatever its token. */
export type TriggerObstacle = Extract<(typeof REFUSALS)[number], 'workspace_disabled' | 'plan_required' | 'survey_disabled'>;
