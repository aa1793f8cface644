import type { ReactNode } from "react";
import table from "./table.module.css";

interface ListTableProps {
  /** For screen readers only: the section's heading shows the same. Absent where that heading directly precedes the table. */
  caption?: string;
  /** Column names; numeric columns are right-aligned. */
  columns: readonly (string | { number: string })[];
  /** Its rows. */
  children: ReactNode;
}

/** The table of a section. On a phone each row is a block, with `data-label` as the label of each cell. */
export function ListTable({ caption, columns, children }: ListTableProps) {
  return (
    <table className={table.table}>
      {caption === undefined ? null : <caption className="visuallyHidden">{caption}</caption>}
      <thead>
        <tr>
          {columns.map((column) =>
            typeof column === "string" ? (
              <th key={column} scope="col">
                {column}
              </th>
            ) : (
              <th key={column.number} scope="col" className={table.number}>
                {column.number}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
