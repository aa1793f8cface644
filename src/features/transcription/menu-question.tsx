import { type ReactNode, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "#src/ui/button.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import type { IconName } from "#src/ui/icon.tsx";

interface MenuQuestionProps {
  icon: IconName;
  /** The button's label. */
  label: string;
  /** The dialog. @param onClose called when the user answers or dismisses it */
  children(onClose: () => void): ReactNode;
}

/** A menu button that opens a dialog. The dialog is rendered outside the menu, which closes. */
export function MenuQuestion({ icon, label, children }: MenuQuestionProps) {
  const [isAsking, setIsAsking] = useState(false);
  const close = () => {
    setIsAsking(false);
    // The button is in a menu that has closed by now.
    focusHeading();
  };
  return (
    <>
      <Button icon={icon} look="quiet" onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      {isAsking ? createPortal(children(close), document.body) : null}
    </>
  );
}
