export { notes, notesOptions, type NotesOptions } from './notes.js'
