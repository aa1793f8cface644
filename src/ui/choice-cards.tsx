import type { ComponentProps, ReactNode } from "react";
import styles from "./choice-cards.module.css";

interface ChoiceCardsProps {
  legend: string;
  legendClass?: string | undefined;
  /** One below the other, each as wide as what they stand in. */
  stacked?: boolean;
  children: ReactNode;
}

/** One of a few, each with a frame of its own. Its children are `ChoiceCard`s of one name. */
export function ChoiceCards({ legend, legendClass, stacked = false, children }: ChoiceCardsProps) {
  return (
    <fieldset className={stacked ? `${styles.cards} ${styles.stacked}` : styles.cards}>
      <legend className={legendClass}>{legend}</legend>
      {children}
    </fieldset>
  );
}

/** The properties are its radio button's. */
export function ChoiceCard({ children, ...input }: ComponentProps<"input">) {
  return (
    <label className={styles.card}>
      <input type="radio" {...input} />
      {children}
    </label>
  );
}
