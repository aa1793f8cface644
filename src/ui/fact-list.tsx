import type { ReactNode } from "react";

export interface Fact {
  name: string;
  value: ReactNode;
}

interface FactListProps {
  className: string | undefined;
  facts: readonly Fact[];
}

/** A list of names and values. */
export function FactList({ className, facts }: FactListProps) {
  return (
    <dl className={className}>
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
