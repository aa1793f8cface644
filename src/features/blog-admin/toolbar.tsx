import { type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "#src/ui/button.tsx";
import styles from "./editor.module.css";
import { type Format, formatted } from "./formatting.ts";
import type { OpenEditor } from "./post-editor-actor.ts";

const tools = ["bold", "italic", "heading", "link", "list", "quote", "code"] as const satisfies readonly Format[];
const shortcuts: Partial<Record<Format, string>> = { bold: "B", italic: "I", link: "K" };
const formatOf: Readonly<Record<string, Format>> = { b: "bold", i: "italic", k: "link" };

function format(editor: OpenEditor, wanted: Format): void {
  editor.text.edit((text) => formatted(wanted, text, editor.text.selection()));
}

/** Ctrl (on a Mac: ⌘) with B, I, K, and S for saving. @returns whether the key was handled */
export function hearShortcut(editor: OpenEditor, event: KeyboardEvent, save: () => void): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
  const key = event.key.toLowerCase();
  const wanted = formatOf[key];
  if (wanted !== undefined) format(editor, wanted);
  else if (key === "s") save();
  else return false;
  event.preventDefault();
  return true;
}

/** Markdown buttons: one tab stop with arrow keys (ARIA Authoring Practices: toolbar). */
export function Toolbar({ editor }: { editor: OpenEditor }) {
  const { t } = useTranslation("blog-admin");
  const [at, setAt] = useState(0);
  const picker = useRef<HTMLInputElement>(null);
  const move = (event: KeyboardEvent<HTMLDivElement>) => {
    const last = tools.length;
    const next = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setAt(next);
    event.currentTarget.querySelectorAll<HTMLElement>("button")[next]?.focus();
  };
  const stop = (index: number) => ({ tabIndex: index === at ? 0 : -1, onFocus: () => setAt(index) });
  return (
    <div role="toolbar" aria-label={t("tools.label")} aria-controls="post-content" className={styles.tools} onKeyDown={move}>
      {tools.map((tool, index) => (
        <IconButton
          key={tool}
          icon={tool}
          label={shortcuts[tool] ? t("tools.withKey", { tool: t(`tools.${tool}`), key: shortcuts[tool] }) : t(`tools.${tool}`)}
          {...stop(index)}
          onClick={() => format(editor, tool)}
        />
      ))}
      <IconButton icon="image" label={t("tools.image")} {...stop(tools.length)} onClick={() => picker.current?.click()} />
      <input
        ref={picker}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          editor.addPictures([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
    </div>
  );
}
