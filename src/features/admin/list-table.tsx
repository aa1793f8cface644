import type { ReactNode } from "react";
import table from "./table.module.css";

interface ListTableProps {
  /** Read out, not shown: the section's heading says it already. Absent where that heading stands right before the table. */
  caption?: string;
  /** The names of its columns; those of numbers stand at the end of their cells. */
  columns: readonly (string | { number: string })[];
  /** Its rows. */
  children: ReactNode;
}

/** The table of a section. On a phone each row is a block, in which `data-label` says what a cell is. */
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
