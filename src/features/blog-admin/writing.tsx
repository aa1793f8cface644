import { useSelector } from "@xstate/react";
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  memo,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { withoutPlaces } from "#machines/blog-admin/post-editor/rules.ts";
import { selectNeedsTitle, selectPostStatus, selectValues } from "#machines/blog-admin/post-editor/selectors.ts";
import { number } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import { Markdown } from "#src/ui/markdown/markdown.tsx";
import styles from "./editor.module.css";
import { countWords, type Format, formatted } from "./formatting.ts";
import { PictureRows } from "./picture-rows.tsx";
import type { OpenEditor } from "./post-editor-actor.ts";

/** The server's limit in characters. */
const maxContent = 200_000;
const wordsPerMinute = 220;

type View = "write" | "preview";

/** Title and text with a preview beside them. Narrow screens show one of the two. */
export function Writing({ editor }: { editor: OpenEditor }) {
  const { t } = useTranslation("blog-admin");
  const [view, setView] = useState<View>("write");
  return (
    <div className={`stack ${styles.writing}`} data-view={view}>
      <Title editor={editor} />
      <fieldset className={styles.views}>
        <legend className="visuallyHidden">{t("views.label")}</legend>
        {(["write", "preview"] as const).map((one) => (
          <Button key={one} look="quiet" aria-pressed={view === one} onClick={() => setView(one)}>
            {t(`views.${one}`)}
          </Button>
        ))}
      </fieldset>
      <div className={styles.panes}>
        <section className={`stack gap-2 ${styles.source}`} aria-label={t("views.write")}>
          <Toolbar editor={editor} />
          <Source editor={editor} />
          <Figures editor={editor} />
          <PictureRows editor={editor} use="text" />
        </section>
        <Preview editor={editor} />
      </div>
    </div>
  );
}

function Title({ editor: { actor } }: { editor: OpenEditor }) {
  const { t } = useTranslation("blog-admin");
  const { title, language } = useSelector(actor, selectValues);
  const missing = useSelector(actor, selectNeedsTitle);
  return (
    <div className={styles.title}>
      <TextField
        label={t("fields.title")}
        name="title"
        required
        maxLength={200}
        lang={language}
        autoComplete="off"
        error={missing ? t("titleNeeded") : undefined}
        value={title}
        onChange={({ target }) => actor.send({ type: "values.changed", values: { title: target.value } })}
      />
    </div>
  );
}

const picturesOf = (files: FileList): File[] => [...files].filter(({ type }) => type.startsWith("image/"));

function Source({ editor }: { editor: OpenEditor }) {
  const { t } = useTranslation("blog-admin");
  const { actor } = editor;
  const { content, language } = useSelector(actor, selectValues);
  const status = useSelector(actor, selectPostStatus);
  const [over, setOver] = useState(false);
  const paste = (event: ClipboardEvent) => {
    const pictures = picturesOf(event.clipboardData.files);
    // Word processors also put an image of the copied text on the clipboard.
    if (pictures.length === 0 || event.clipboardData.getData("text/plain") !== "") return;
    event.preventDefault();
    editor.addPictures(pictures);
  };
  const drop = (event: DragEvent) => {
    setOver(false);
    const { files } = event.dataTransfer;
    if (files.length === 0) return;
    event.preventDefault();
    editor.addPictures([...files]);
  };
  return (
    <textarea
      id="post-content"
      ref={editor.text.attach}
      className={`${styles.content} ${over ? styles.over : ""}`}
      aria-label={t("fields.content")}
      placeholder={t("contentPlaceholder")}
      lang={language}
      maxLength={maxContent}
      value={content}
      onChange={({ target }) => actor.send({ type: "values.changed", values: { content: target.value } })}
      onKeyDown={(event) => hearShortcut(editor, event, () => actor.send({ type: "save.requested", status }))}
      onPaste={paste}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    />
  );
}

function Figures({ editor: { actor } }: { editor: OpenEditor }) {
  const { t, i18n } = useTranslation("blog-admin");
  const values = useSelector(actor, selectValues);
  const content = useDeferredValue(values.content);
  const words = useMemo(() => countWords(withoutPlaces(content), values.language), [content, values.language]);
  const minutes = Math.max(1, Math.round(words / wordsPerMinute));
  return (
    <p className={`fine digits ${styles.figures}`}>
      <span>{t("figures.words", { count: words, shown: number(words, i18n.language) })}</span>
      <span>{t("figures.minutes", { count: minutes })}</span>
    </p>
  );
}

function Preview({ editor: { actor } }: { editor: OpenEditor }) {
  const { t } = useTranslation("blog-admin");
  const values = useSelector(actor, selectValues);
  const { title, content, language } = useDeferredValue(values);
  return (
    <div className={`stack gap-2 ${styles.preview}`}>
      <h2 id="preview-title" className={`label ${styles.previewTitle}`}>
        {t("views.preview")}
      </h2>
      <section className={`card pad-5 ${styles.page}`} aria-labelledby="preview-title" {...focusable}>
        {title.trim() === "" ? null : (
          <p className={`size-4 reading anywhere ${styles.pageTitle}`} lang={language}>
            {title}
          </p>
        )}
        {content.trim() === "" ? <p className="note">{t("views.empty")}</p> : <Shown text={content} lang={language} />}
      </section>
    </div>
  );
}

/** `tabIndex`: the keyboard can scroll overflowing content. */
const focusable = { tabIndex: 0 };

/** Shows a pending picture as its alternative text. */
const Shown = memo(function Shown({ text, lang }: { text: string; lang: string }) {
  return <Markdown text={text.replaceAll(/!\[([^\]\n]*)\]\(upload:[\w-]+\)/g, "*$1*")} lang={lang} />;
});

const tools = ["bold", "italic", "heading", "link", "list", "quote", "code"] as const satisfies readonly Format[];
const shortcuts: Partial<Record<Format, string>> = { bold: "B", italic: "I", link: "K" };
const formatOf: Readonly<Record<string, Format>> = { b: "bold", i: "italic", k: "link" };

function applyFormat(editor: OpenEditor, wanted: Format): void {
  editor.text.edit((text) => formatted(wanted, text, editor.text.selection()));
}

/**
 * Handles Ctrl (on a Mac: ⌘) with B, I, K, and with S for saving.
 * @returns whether the key was handled
 */
function hearShortcut(editor: OpenEditor, event: KeyboardEvent, save: () => void): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
  const key = event.key.toLowerCase();
  const wanted = formatOf[key];
  if (wanted !== undefined) applyFormat(editor, wanted);
  else if (key === "s") save();
  else return false;
  event.preventDefault();
  return true;
}

/** Markdown buttons. They are one tab stop with arrow keys (ARIA Authoring Practices: toolbar). */
function Toolbar({ editor }: { editor: OpenEditor }) {
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
    <div role="toolbar" aria-label={t("tools.label")} aria-controls="post-content" className="row gap-0" onKeyDown={move}>
      {tools.map((tool, index) => (
        <IconButton
          key={tool}
          icon={tool}
          label={shortcuts[tool] ? t("tools.withKey", { tool: t(`tools.${tool}`), key: shortcuts[tool] }) : t(`tools.${tool}`)}
          {...stop(index)}
          onClick={() => applyFormat(editor, tool)}
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
