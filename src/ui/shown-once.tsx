import { type ReactNode, useId, useState } from "react";
import { Button } from "./button.tsx";
import { claimFocus } from "./claim-focus.ts";
import entries from "./entries.module.css";

interface ShownOnceProps {
  title: string;
  /** What to do with it. */
  children: ReactNode;
  value: string;
  testId: string;
  /** Of its buttons, and what is said once it was copied, or could not be. */
  labels: Record<"copy" | "done" | "copied" | "notCopied", string>;
  onDone(): void;
}

/** It is where the form was, which was taller: the whole of it is to be seen. */
const show = (section: HTMLElement | null) => section?.scrollIntoView({ block: "center" });

/** What nobody sees again: copied, then put away. */
export function ShownOnce({ title, children, value, testId, labels, onDone }: ShownOnceProps) {
  const id = useId();
  const [copied, setCopied] = useState<"copied" | "notCopied" | null>(null);
  const copy = async () => {
    try {
      // Without https there is no clipboard at all.
      await navigator.clipboard.writeText(value);
      setCopied("copied");
    } catch {
      setCopied("notCopied");
    }
  };
  return (
    <section ref={show} className={entries.secret} aria-labelledby={id}>
      <h3 id={id} ref={claimFocus} tabIndex={-1} className={entries.heading}>
        {title}
      </h3>
      <p>{children}</p>
      <code className={entries.value} data-testid={testId}>
        {value}
      </code>
      <div className={entries.actions}>
        <Button icon={copied === "copied" ? "check" : "copy"} look="primary" onClick={() => void copy()}>
          {labels.copy}
        </Button>
        <Button onClick={onDone}>{labels.done}</Button>
        <span className={entries.fine} role="status">
          {copied === null ? "" : labels[copied]}
        </span>
      </div>
    </section>
  );
}
