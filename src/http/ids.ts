// The formats of ids. Other text needs no lookup, and may hold a zero byte, which PostgreSQL rejects. Pure.
type Text = string | null | undefined;

/** Whether a text can be the id of a workspace or a survey. */
export const isId = (text: Text): boolean => /^[\w.:-]{1,64}$/.test(text ?? '');

/** The id of a batch or a token. */
export const readUuid = (text: Text): string | undefined => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.exec(text ?? '')?.[0];

/** The id of an invitation, a response or an audit log entry. */
export const readRowId = (text: Text): string | undefined => /^\d{1,18}$/.exec(text ?? '')?.[0];
