import type { ComponentProps, ReactNode } from "react";
import styles from "./choice-cards.module.css";

interface ChoiceCardsProps {
  legend: string;
  legendClass?: string | undefined;
  /** Stacked, each with the container's full width. */
  stacked?: boolean;
  children: ReactNode;
}

/** A radio group with framed options. Its children are `ChoiceCard`s with one name. */
export function ChoiceCards({ legend, legendClass, stacked = false, children }: ChoiceCardsProps) {
  return (
    <fieldset className={stacked ? `row ${styles.cards} ${styles.stacked}` : `row ${styles.cards}`}>
      <legend className={legendClass}>{legend}</legend>
      {children}
    </fieldset>
  );
}

/** The props are those of the radio button. */
export function ChoiceCard({ children, ...input }: ComponentProps<"input">) {
  return (
    <label className={`line ${styles.card}`}>
      <input type="radio" {...input} />
      {children}
    </label>
  );
}
