// What `check` finds: one line each.

/** ok; note: works, and could be better; fault: it won't work. */
export interface Finding {
  readonly subject: 'settings' | 'status' | 'database' | 'relay' | 'address' | 'webhook' | 'sender' | 'rules' | 'secrets';
  readonly state: 'ok' | 'note' | 'fault';
  readonly text: string;
  /** What to do. */
  readonly advice?: string;
}

/** Why a fetch failed, in a word. */
export function fetchFault(error: unknown): string {
  const { name, cause } = error as { name: string; cause?: { code?: string; message?: string } };
  return name === 'TimeoutError' ? 'timeout' : (cause?.code ?? cause?.message ?? name);
}
