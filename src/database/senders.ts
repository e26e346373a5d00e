// Whom emails come from, and translations of what they say: as they are stored, in JSON.

/** Whom emails come from. An empty text removes a setting. For their forms see sender_error.sql. */
export interface Sender {
  readonly name?: string | undefined;
  /** Of a domain that SENDER_DOMAINS allows. */
  readonly email?: string | undefined;
  readonly reply_to?: string | undefined;
  readonly logo_url?: string | undefined;
  readonly logo_alt?: string | undefined;
  /** `#rrggbb`. */
  readonly accent_color?: string | undefined;
  readonly postal_address?: string | undefined;
  /** For a recipient without a name. */
  readonly recipient_word?: string | undefined;
}

/** Of a token's texts. */
export interface TokenTranslation {
  readonly subject?: string | undefined;
  readonly message?: string | undefined;
  readonly reminder_subject?: string | undefined;
  readonly reminder_message?: string | undefined;
  readonly recipient_word?: string | undefined;
}

/** The one that fits a recipient. */
export type InLanguage<T> = T & { readonly language: string };
