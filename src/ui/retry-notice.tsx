import type { MouseEvent, ReactNode } from "react";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

interface RetryNoticeProps {
  /** What failed, and why. */
  children: ReactNode;
  /** The button's label. */
  label: string;
  /** Absent when a retry is useless. The notice then has no retry button. */
  onRetry?: ((event: MouseEvent) => void) | false | undefined;
  /** Further actions after that button. */
  more?: ReactNode;
}

/** An inline failure notice with a retry button. */
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
