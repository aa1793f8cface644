import type { ComponentProps, RefObject } from "react";
import { IconButton } from "#src/ui/button.tsx";

interface EditButtonProps extends Omit<ComponentProps<typeof IconButton>, "icon" | "ref" | "onClick"> {
  /** Whether its editor was opened with it; outlives the button, in whose place the editor stands. */
  began: RefObject<boolean>;
  onEdit(): void;
}

/** Opens an editor in its place. When that has closed the focus returns, unless another passage has it. */
export function EditButton({ began, onEdit, ...button }: EditButtonProps) {
  return (
    <IconButton
      {...button}
      ref={(element) => {
        if (element && began.current && document.activeElement === document.body) element.focus({ preventScroll: true });
        if (element) began.current = false;
      }}
      icon="edit"
      onClick={() => {
        began.current = true;
        onEdit();
      }}
    />
  );
}
