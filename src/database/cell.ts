// Which database of an installation a process has: its home and its range of ids. One of several is called a cell.

export interface Cell {
  /** The first four characters of the homes of the workspaces that it creates. */
  readonly home: string;
  /** Which range of ids its rows have. */
  readonly cellNumber: number;
}

/** Undefined: whatever the database has. */
export type CellSettings = { readonly [Key in keyof Cell]?: Cell[Key] | undefined };

export const cellOf = ({
  HOME_ID,
  CELL_NUMBER,
}: {
  HOME_ID: string | undefined;
  CELL_NUMBER: number | undefined;
}): CellSettings => ({
  home: HOME_ID,
  cellNumber: CELL_NUMBER,
});

/** Why this is another database than the settings say. Undefined: it isn't. @param cell Null: it is a router. */
export function cellError(
  { home, cellNumber }: CellSettings,
  cell: { readonly [Key in keyof Cell]: Cell[Key] | null },
): string | undefined {
  const differs = (setting: string, given: unknown, found: string) =>
    `${setting} is ${given}, but the database ${found}: correct DATABASE_URL, or unset ${setting}`;
  if (cell.home === null && (home ?? cellNumber) !== undefined)
    return 'DATABASE_URL is a router, which has no HOME_ID and no CELL_NUMBER: unset them';
  if (home !== undefined && home !== cell.home) return differs('HOME_ID', home, `belongs to the installation ${cell.home}`);
  if (cellNumber !== undefined && cellNumber !== cell.cellNumber)
    return differs('CELL_NUMBER', cellNumber, `has the number ${cell.cellNumber}`);
  return undefined;
}
