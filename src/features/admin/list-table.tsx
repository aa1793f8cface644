import type { ReactNode } from "react";
import plain from "./plain.module.css";
import table from "./table.module.css";

interface Column<Row> {
  name: string;
  /** "number" aligns to the right; "whole" does not break a name. */
  look?: "number" | "whole";
  cell(row: Row): ReactNode;
}

interface ListTableProps<Row> {
  /**
   * For screen readers only, because the section's heading shows the same. Absent if that heading directly precedes the
   * table.
   */
  caption?: string;
  /** The first column's cells are the row headings. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
  /** Few, narrow columns: rows stay table rows on a phone. */
  isPlain?: boolean;
}

/** The table of a section. On a phone each row is a block, with `data-label` as the label of each cell. */
export function ListTable<Row>({ caption, columns, rows, keyOf, isPlain = false }: ListTableProps<Row>) {
  const styles = isPlain ? plain : table;
  return (
    <table className={`size-1 ${styles.table}`}>
      {caption === undefined ? null : <caption className="visuallyHidden">{caption}</caption>}
      <thead>
        <tr>
          {columns.map(({ name, look }) => (
            <th key={name} scope="col" className={look && styles[look]}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ name, look, cell }, index) =>
              index === 0 ? (
                <th key={name} scope="row" className={look && styles[look]}>
                  {cell(row)}
                </th>
              ) : (
                <td key={name} data-label={name} className={look && styles[look]}>
                  {cell(row)}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
