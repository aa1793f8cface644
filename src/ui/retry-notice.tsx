import type { MouseEvent, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

interface RetryNoticeProps {
  /** What did not work, and why. */
  children: ReactNode;
  /** On the button. */
  label: string;
  /** Absent where trying again is of no use: the notice has no such button then. */
  onRetry?: ((event: MouseEvent) => void) | false | undefined;
  /** What else can be done about it, after that button. */
  more?: ReactNode;
}

/** A failure that stands in the page, with the button that tries again. */
export function RetryNotice({ children, label, onRetry, more }: RetryNoticeProps) {
  const retry = onRetry ? (
    <Button icon="retry" onClick={onRetry}>
      {label}
    </Button>
  ) : null;
  return (
    <Notice
      tone="danger"
      actions={
        more ? (
          <>
            {retry}
            {more}
          </>
        ) : (
          retry
        )
      }
    >
      {children}
    </Notice>
  );
}
