// The sender of emails, and translations of their texts, as they are stored in JSON.

/** The sender of emails. An empty text removes a setting. sender_error.sql defines the allowed values. */
export interface Sender {
  readonly name?: string | undefined;
  /** Its domain must be one that SENDER_DOMAINS allows. */
  readonly email?: string | undefined;
  readonly reply_to?: string | undefined;
  /** https, or the path of an uploaded one. */
  readonly logo_url?: string | undefined;
  readonly logo_alt?: string | undefined;
  /** `#rrggbb`. */
  readonly accent_color?: string | undefined;
  readonly postal_address?: string | undefined;
  /** Stands for the name of a recipient without one. */
  readonly recipient_word?: string | undefined;
  /** For recipients without a name: in place of a line that greets by name, and of a subject with the name. */
  readonly greeting_without_name?: string | undefined;
  readonly subject_without_name?: string | undefined;
  /** On the button that leads to the survey. */
  readonly button_text?: string | undefined;
  /** What an inbox shows beside the subject. */
  readonly preheader?: string | undefined;
}

/** Type of the SQL function page_translation. */
export interface PageTranslation {
  /** The survey's title, translated if it is. */
  readonly title: string;
  /** The page's language. Null: the page exists in every language of the service. */
  readonly language: string | null;
}

/** A translation of a token's texts. */
export interface TokenTranslation {
  readonly subject?: string | undefined;
  readonly message?: string | undefined;
  readonly reminder_subject?: string | undefined;
  readonly reminder_message?: string | undefined;
  readonly recipient_word?: string | undefined;
  readonly greeting_without_name?: string | undefined;
  readonly subject_without_name?: string | undefined;
  /** On the button that leads to the survey. */
  readonly button_text?: string | undefined;
  /** What an inbox shows beside the subject. */
  readonly preheader?: string | undefined;
}

/** The translation that fits a recipient, with its language. */
export type InLanguage<T> = T & { readonly language: string };
