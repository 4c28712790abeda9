/* Types of the FMI 2.0 interface, declared for this project after the text of the standard
   (these are not the standard's own files; they declare the same interface). */
#ifndef fmi2TypesPlatform_h
#define fmi2TypesPlatform_h
#define fmi2TypesPlatform "default"

typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const fmi2Char *fmi2String; /* UTF-8 */
#define fmi2True 1
#define fmi2False 0
#endif
