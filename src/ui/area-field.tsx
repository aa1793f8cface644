import { type InputHTMLAttributes, type TextareaHTMLAttributes, useId } from "react";
import styles from "./area-field.module.css";
import field from "./field.module.css";

interface Described {
  label: string;
  hint: string;
}

/** A multi-line text field with its label and hint, associated for screen readers. */
export function AreaField({ label, hint, ...area }: Described & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <div className={field.field}>
      <label htmlFor={id} className={field.label}>
        {label}
      </label>
      <textarea {...area} id={id} className={`${field.control} ${styles.area}`} aria-describedby={`${id}-hint`} />
      <p id={`${id}-hint`} className={field.hint}>
        {hint}
      </p>
    </div>
  );
}

/** A checkbox with its label and hint. */
export function CheckField({ label, hint, ...input }: Described & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={field.field}>
      <label htmlFor={id} className="check fit strong">
        <input {...input} type="checkbox" id={id} aria-describedby={`${id}-hint`} />
        <span>{label}</span>
      </label>
      <p id={`${id}-hint`} className={field.hint}>
        {hint}
      </p>
    </div>
  );
}
