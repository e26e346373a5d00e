// The formats of ids. Text in another format needs no lookup, and may hold a zero byte, which PostgreSQL rejects. Pure.
type Text = string | null | undefined;

/** Whether a text can be the id of a workspace or a survey. */
export const isId = (text: Text): boolean => /^[\w.:-]{1,64}$/.test(text ?? '');

/** The UUID of a batch or a token. */
export const readUuid = (text: Text): string | undefined => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.exec(text ?? '')?.[0];

/** The number of a row: of an invitation, a response, an entry of the audit log. */
export const readRowId = (text: Text): string | undefined => /^\d{1,18}$/.exec(text ?? '')?.[0];
