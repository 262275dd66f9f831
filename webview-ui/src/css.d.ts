// Style sheets are imported for their effect; the bundler puts them into one file.
declare module '*.css';
