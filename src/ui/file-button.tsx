import { type ComponentProps, type ReactNode, useRef } from "react";
import { Button } from "./button.tsx";
import type { IconName } from "./icon.tsx";

interface FileButtonProps extends Pick<ComponentProps<"input">, "accept" | "multiple"> {
  label: string;
  icon?: IconName;
  onFiles(files: File[]): void;
  /** Shown on the button after the label. */
  children?: ReactNode;
}

/** Opens the browser's file chooser; the same file may be chosen again. Its button is marked with `data-chooser`. */
export function FileButton({ label, icon = "upload", onFiles, children, ...input }: FileButtonProps) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button icon={icon} data-chooser onClick={() => chooser.current?.click()}>
        {label}
        {children}
      </Button>
      <input
        {...input}
        ref={chooser}
        type="file"
        hidden
        aria-label={label}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </>
  );
}
